import { explainFault } from '#platform/database/database-fault.ts'
import { pult } from '#platform/program-name.ts'
import { auditCommand } from './audit.ts'
import { backupCommand } from './backup.ts'
import { type Command, CommandFailure, type Print } from './command.ts'
import { databaseCommand } from './database.ts'
import { doctorCommand } from './doctor.ts'
import { edgeKeyCommand } from './edge-key.ts'
import { extensionsCommand } from './extensions.ts'
import type { Environment } from './installation.ts'
import { inviteCommand } from './invite.ts'
import { restoreCommand } from './restore.ts'
import { statusCommand } from './status.ts'
import { unlockCommand } from './unlock.ts'
import { versionCommand } from './version.ts'

const commands: readonly Command[] = [
  inviteCommand,
  unlockCommand,
  extensionsCommand,
  backupCommand,
  restoreCommand,
  auditCommand,
  databaseCommand,
  edgeKeyCommand,
  statusCommand,
  doctorCommand,
  versionCommand,
]

const exitCodes = { success: 0, failure: 1, usage: 2 } as const

const overview = `Pult's command line for operators.

  ${pult('COMMAND [OPTIONS]')}

${commands.map(({ name, summary }) => `  ${name.padEnd(12)}${summary}`).join('\n')}

Options of a command: ${pult('COMMAND --help')}
The commands read the same settings as the server and work beside a running one.`

const isHelp = (argument: string) => argument === '--help' || argument === '-h'

/** Runs the command of the arguments. Returns the exit code of the process. */
export async function run(args: readonly string[], environment: Environment): Promise<number> {
  const print: Print = (line) => process.stdout.write(`${forTerminal(line)}\n`)
  const [name, ...rest] = args
  if (name === undefined || isHelp(name) || name === 'help') {
    print(overview)
    return name === undefined ? exitCodes.usage : exitCodes.success
  }
  const command = commands.find((candidate) => candidate.name === name)
  if (command === undefined) {
    printError(`there is no command ${JSON.stringify(name)}. See ${pult('--help')}`)
    return exitCodes.usage
  }
  if (rest.some(isHelp)) {
    print(command.help)
    return exitCodes.success
  }

  let perform: ReturnType<Command['read']>
  try {
    perform = command.read(rest)
  } catch (error) {
    printError(`${firstSentence(error)}. See ${pult(`${name} --help`)}`)
    return exitCodes.usage
  }
  try {
    await perform({ environment, print })
    return exitCodes.success
  } catch (error) {
    printError(explainFault(error))
    return error instanceof CommandFailure ? error.exitCode : exitCodes.failure
  }
}

/** Lines quote names and replies of other machines: a terminal would execute controls and reverse other text. */
const forTerminal = (text: string) => text.replace(/(?!\n)\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu, '\ufffd')

/** Node's messages about arguments end with advice that does not apply here. */
const firstSentence = (error: unknown) =>
  (error instanceof Error ? error.message : String(error)).split(/\.\s|\n/, 1)[0]?.replace(/\.$/, '')

function printError(message: string): void {
  process.stderr.write(`pult: ${forTerminal(message.replace(/(?<!\s)\s*\n\s*/g, ' '))}\n`)
}
