import { writeFindings } from '../write-targets.js'
import type { BashRule } from './rule.js'

/** A command writes only in the workspace, the temporary folder and what the person added. */
export const writeConfinementRule: BashRule = {
  rule: 'write-confinement',
  match: [
    'echo x > /etc/motd',
    'cp a /usr/local/bin/a',
    'tee ~/note < a',
    'mkdir -p ~/x',
    'cd .. && touch x',
    'tar xf a.tar -C /',
    'sed -i s/a/b/ ../x',
    'dd if=a of=/opt/x',
    'git worktree add ../w',
    'ln -s /etc e && echo x > e/motd',
    'find /opt -name x -delete',
    `python3 -c "open('/etc/x','w')"`,
  ],
  notMatch: [
    'echo x > out.txt',
    'cp /etc/hosts .',
    'tee /dev/null < a',
    'mkdir -p a/b',
    'tar xf a.tar',
    'dd if=/dev/zero of=x bs=1 count=1',
    'cat /etc/os-release',
    'npm test > /dev/null 2>&1',
    'sed -n 1p ../x',
    'find .. -name x',
  ],
  judge: (facts) => writeFindings(facts, 'write-confinement'),
}
