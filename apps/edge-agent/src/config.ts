import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { edgeDeclaration, edgeDeclarations, limits, parseJsonText, z } from '@pult/contract'
import { configFaults } from './config-faults.ts'
import { type ConfiguredCommand, checkCommands } from './declared-commands.ts'
import { exitCodes, Failure } from './exit-codes.ts'
import { fileFailure } from './file-fault.ts'
import { reasonOf } from './state.ts'

/** A program and its arguments. It runs without a shell, so no character is special. */
const withoutNul = z.regex(/^[^\0]*$/, 'must not contain NUL')
const program = z.array(z.string().check(z.minLength(1), withoutNul)).check(z.minLength(1), z.maxLength(50))

const environment = z.record(z.string().check(z.regex(/^[A-Za-z_]\w*$/)), z.string().check(withoutNul))

const declaredCommand = z.strictObject({
  label: z.optional(z.string()),
  /** `{name}` in an argument stands for the value of a parameter. */
  run: program,
  /** Timeout. Afterwards the agent kills the program and the processes that it has started. */
  seconds: z._default(
    z
      .number()
      .check(
        z.refine(
          (seconds) => Number.isInteger(seconds) && seconds >= 1 && seconds <= limits.edgeCommandSecondsMax,
          `must be from 1 to ${limits.edgeCommandSecondsMax}`,
        ),
      ),
    60,
  ),
  parameters: z._default(z.record(z.string(), z.record(z.string(), z.unknown())), {}),
})

const config = z.strictObject({
  instances: z._default(
    z
      .array(
        z.strictObject({
          /** Identifies the instance for the server. Permanent. */
          key: z
            .string()
            .check(z.regex(/^[a-z0-9][a-z0-9_.-]{0,63}$/, 'must be lower-case letters, digits, - . _')),
          label: z
            .string()
            .check(
              z.minLength(1),
              z.maxLength(limits.labelMax),
              z.regex(/^[^\p{Cc}\p{Cs}]*$/u, 'must be one line of text'),
            ),
          /** The command that restarts it. Without it the console cannot restart the instance. */
          restart: z.optional(program),
          /** The command exits with 0 while the instance is running. Without it the state is unknown. */
          status: z.optional(program),
          /** The agent starts this program with itself, and again after its end. */
          run: z.optional(program),
          /** Working folder, and variables that are added to the environment. */
          folder: z.optional(z.string().check(z.minLength(1), withoutNul)),
          environment: z.optional(environment),
          /** Memory limit of the program and its processes, in MiB. */
          memory: z.optional(
            z
              .number()
              .check(z.refine((value) => Number.isInteger(value) && value >= 1, 'must be a number of MiB')),
          ),
          /** A unit of systemd that the agent starts, stops and watches. */
          unit: z.optional(
            z
              .string()
              .check(z.regex(/^[A-Za-z0-9_@][A-Za-z0-9:_.@\\-]{0,254}$/, 'must be the name of a unit')),
          ),
        }),
      )
      .check(z.maxLength(limits.edgeInstancesMax)),
    [],
  ),
  /** Variables that are added to the environment of all programs and commands. */
  environment: z._default(environment, {}),
  /** Logs of programs with `run` or `unit`. */
  logs: z._default(
    z.strictObject({
      /** Regular expressions. Text that they match never reaches the log. */
      redact: z._default(z.array(z.string().check(z.minLength(1))).check(z.maxLength(50)), []),
    }),
    { redact: [] },
  ),
  /** The commands that the console can start on this edge, by key. */
  commands: z._default(z.record(z.string(), declaredCommand), {}),
  /** The endpoint at which programs report values. Without it they cannot report any. */
  values: z.optional(
    z.union([
      z.strictObject({
        /** On 127.0.0.1. */
        port: z
          .number()
          .check(z.refine((port) => Number.isInteger(port) && port >= 1 && port <= 65_535, 'must be a port')),
      }),
      z.strictObject({
        /** The path of a Unix socket. */
        socket: z.string().check(z.minLength(1), z.maxLength(100)),
      }),
    ]),
  ),
})
type Written = z.infer<typeof config>
export type Config = Omit<Written, 'commands' | 'logs'> & { commands: ConfiguredCommand[]; redact: RegExp[] }
export type ConfiguredInstance = Config['instances'][number]

/** Returns the path of a part of a declaration in the file, where parameters have names instead of numbers. */
function pathOf(command: string, path: readonly PropertyKey[], parameters: readonly { key: string }[]) {
  const [first, index, ...rest] = path
  if (first === 'parameters' && typeof index === 'number')
    return [
      'commands',
      command,
      'parameters',
      parameters[index]?.key ?? index,
      ...rest.filter((part) => part !== 'key'),
    ]
  return ['commands', command, ...path.filter((part) => part !== 'key')]
}

function commandsOf(written: Written['commands']): ConfiguredCommand[] {
  const commands = Object.entries(written).map(([key, { label = key, run, seconds, parameters }]) => {
    const given = Object.entries(parameters).map(([name, rest]) => ({ label: name, ...rest, key: name }))
    const { data: declaration, error } = edgeDeclaration.safeParse({ key, label, parameters: given })
    if (error !== undefined)
      throw new Error(
        configFaults(
          error.issues.map((issue) => ({ ...issue, path: pathOf(key, issue.path, given) })),
          { commands: written },
        ),
      )
    for (const [index, parameter] of declaration.parameters.entries())
      for (const field of Object.keys(given[index] ?? {}))
        if (!Object.hasOwn(parameter, field))
          throw new Error(
            `the parameter ${parameter.key} of the command ${key} has an unknown field ${field}`,
          )
    return { declaration, run, seconds }
  })
  const all = edgeDeclarations.safeParse(commands.map(({ declaration }) => declaration))
  if (!all.success)
    throw new Error(
      configFaults(
        all.error.issues.map((issue) => ({ ...issue, path: ['commands'] })),
        {},
      ),
    )
  checkCommands(commands)
  return commands
}

/** @throws {Error} naming the instance that mixes two ways to run. */
function checkInstance({ key, run, unit, restart, status, ...more }: Written['instances'][number]): void {
  const ways = [run, unit, restart ?? status].filter((way) => way !== undefined)
  if (ways.length > 1)
    throw new Error(
      `the instance ${key} has more than one of run, unit, and restart with status; use one of them`,
    )
  const { folder, environment: variables, memory } = more
  if (run === undefined && [folder, variables, memory].some((value) => value !== undefined))
    throw new Error(`the instance ${key} has folder, environment or memory without run`)
}

/** Milliseconds between two reads of a file that another program may be writing. */
const readAgain = 300

/**
 * If the file does not exist, there are no instances.
 *
 * @throws {Failure} settings: one line with each setting, its mistake and an example.
 */
export async function readConfig(file: string, pause = () => sleep(readAgain)): Promise<Config> {
  const bytes = await read(file)
  if (bytes === undefined) return { instances: [], commands: [], environment: {}, redact: [] }
  let given: unknown
  try {
    given = parseJsonText(bytes)
  } catch (error) {
    // An editor or a copy may have written only a part of it.
    await pause()
    const now = await read(file)
    if (now === undefined || !now.equals(bytes)) return readConfig(file, pause)
    throw new Failure(exitCodes.settings, `${file} is not usable: ${reasonOf(error)}`)
  }
  try {
    return configOf(given)
  } catch (error) {
    throw new Failure(exitCodes.settings, `${file} is not usable: ${reasonOf(error)}`)
  }
}

/** Returns undefined if the file does not exist. */
async function read(file: string): Promise<Buffer | undefined> {
  try {
    return await readFile(file)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw fileFailure(error, `${file} cannot be read`)
  }
}

function configOf(given: unknown): Config {
  const parsed = config.safeParse(given)
  if (!parsed.success) throw new Error(configFaults(parsed.error.issues, given))
  const { instances, commands, logs, ...rest } = parsed.data
  const keys = instances.map(({ key }) => key)
  const twice = keys.find((key, index) => keys.indexOf(key) !== index)
  if (twice !== undefined) throw new Error(`two instances have the key ${twice}`)
  for (const instance of instances) checkInstance(instance)
  const redact = logs.redact.map((pattern, index) => {
    try {
      return new RegExp(pattern, 'gu')
    } catch (error) {
      throw new Error(`logs.redact[${index}] is not a pattern: ${reasonOf(error)}`, { cause: error })
    }
  })
  return { ...rest, instances, commands: commandsOf(commands), redact }
}
