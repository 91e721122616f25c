import { parseArgs } from 'node:util'
import { pult } from '#platform/program-name.ts'
import type { Command } from './command.ts'
import { withInstallation } from './installation.ts'
import { hasStarted, readProblems, unreadyOf } from './problems.ts'

const help = `Lists the problems of the installation and their fixes, like the Root page. Changes nothing. Running nodes
report their own problems, clocks and proxies. Exits with code 1 if it finds a problem.

  ${pult('doctor')}`

export const doctorCommand: Command = {
  name: 'doctor',
  summary: 'lists the problems of the installation and their fixes',
  help,
  read(args) {
    parseArgs({ args, options: {} })
    return ({ environment, print }) =>
      withInstallation(environment, async (installation) => {
        if (!(await hasStarted(installation.database.db)))
          throw new Error('the installation is empty: start its server once before the doctor examines it')
        const unready = await unreadyOf(installation)
        const checks = await readProblems(installation, environment, unready)
        if (checks.length === 0) return print('No problems found.')
        // A line of the settings must remain as it is.
        for (const { level, what, fix } of checks)
          print(
            `${level === 'danger' ? 'Error  ' : 'Warning'}  ${what}.\n         ${fix}${fix.includes('=') ? '' : '.'}`,
          )
        throw new Error(checks.length === 1 ? '1 problem found' : `${checks.length} problems found`)
      })
  },
}
