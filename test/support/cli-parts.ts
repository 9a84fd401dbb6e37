import type { CliParts } from '../../src/cli/parts.js'
import { ensoHome } from '../../src/system/home.js'

/** Parts of which nothing may be used but what a test names. */
export function partsWith(given: Partial<CliParts> = {}): CliParts {
  const unused = (name: string) => () => Promise.reject(new Error(`${name} was asked for`))
  return {
    version: '1.2.3',
    agentLibrary: { name: 'agent-library', version: '4.5.6' },
    home: ensoHome({ ENSO_HOME: '/nowhere' }),
    userConfig: unused('userConfig'),
    workspaceConfig: unused('workspaceConfig'),
    guardCheck: unused('guardCheck'),
    localServers: unused('localServers'),
    store: unused('store'),
    agentHost: unused('agentHost'),
    threads: unused('threads'),
    probeSandbox: unused('probeSandbox'),
    openApi: unused('openApi'),
    serve: unused('serve'),
    startLog: unused('startLog'),
    ...given,
  }
}
