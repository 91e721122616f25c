import { readFile } from 'node:fs/promises'
import { limits, z } from '@pult/contract'
import { exitCodes, Failure } from './exit-codes.ts'
import { reasonOf } from './state.ts'

/** A program and its arguments. No shell is between: nothing in them is special. */
const program = z.array(z.string().check(z.minLength(1))).check(z.minLength(1), z.maxLength(50))

const config = z.strictObject({
  instances: z._default(
    z
      .array(
        z.strictObject({
          /** Stays the same for ever: by it the server knows the instance again. */
          key: z
            .string()
            .check(z.regex(/^[a-z0-9][a-z0-9_.-]{0,63}$/, 'must be lower-case letters, digits, - . _')),
          label: z
            .string()
            .check(z.minLength(1), z.maxLength(limits.labelMax), z.regex(/^[^\p{Cc}\p{Cs}]*$/u)),
          /** Restarts it. Without it it cannot be restarted from the console. */
          restart: z.optional(program),
          /** Ends with 0 while it runs. Without it nobody can tell. */
          status: z.optional(program),
        }),
      )
      .check(z.maxLength(limits.edgeInstancesMax)),
    [],
  ),
})
export type Config = z.infer<typeof config>
export type ConfiguredInstance = Config['instances'][number]

/** No file is no instances. @throws {Failure} settings */
export async function readConfig(file: string): Promise<Config> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return { instances: [] }
    throw new Failure(exitCodes.settings, `${file} cannot be read: ${reasonOf(error)}`)
  }
  try {
    const { instances } = config.parse(JSON.parse(text))
    if (new Set(instances.map(({ key }) => key)).size < instances.length)
      throw new Error('two instances have the same key')
    return { instances }
  } catch (error) {
    throw new Failure(exitCodes.settings, `${file} is not usable: ${reasonOf(error)}`)
  }
}
