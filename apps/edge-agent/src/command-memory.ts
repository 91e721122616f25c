import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from '@pult/contract'
import { writeLog } from './agent-log.ts'
import { writeDurably } from './durable-file.ts'
import { reasonOf } from './state.ts'

/** Number of commands that are remembered. The server repeats only commands without an outcome. */
const keptMost = 100

const outcome = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), info: z.string() }),
  z.object({ ok: z.literal(false), error: z.string() }),
])
type Outcome = z.infer<typeof outcome>

const remembered = z.object({
  id: z.string(),
  name: z.string(),
  lines: z.array(z.string()),
  outcome: z.optional(outcome),
})
export type RememberedCommand = z.infer<typeof remembered>

/**
 * Remembers the commands that the server repeats until they have an outcome. A command is written to the disk before
 * it begins, so that the agent does not execute it again after a crash.
 */
export function createCommandMemory(folder: string) {
  const file = join(folder, 'commands.json')
  let known: RememberedCommand[] | undefined
  let writing: Promise<void> = Promise.resolve()

  async function load(): Promise<RememberedCommand[]> {
    if (known !== undefined) return known
    let read: RememberedCommand[] = []
    try {
      read = z.array(remembered).parse(JSON.parse(await readFile(file, 'utf8')))
    } catch (error) {
      const isNew = error instanceof Error && 'code' in error && error.code === 'ENOENT'
      if (!isNew) writeLog(`${file} cannot be read, so earlier commands are forgotten: ${reasonOf(error)}`)
    }
    known ??= read
    return known
  }

  /** Writes one file at a time, with the newest content. */
  function save(): Promise<void> {
    writing = writing.catch(() => {}).then(() => writeDurably(file, JSON.stringify(known)))
    return writing
  }

  return {
    /** Returns the command with this id. A new command is written to the disk first, and the result is undefined. */
    async begin(id: string, name: string): Promise<RememberedCommand | undefined> {
      const all = await load()
      const found = all.find((one) => one.id === id)
      if (found !== undefined) return found
      const begun = { id, name, lines: [] }
      all.push(begun)
      all.splice(0, all.length - keptMost)
      try {
        await save()
      } catch (error) {
        // It does not begin. A repeat must not take it for a command that was interrupted.
        all.splice(all.indexOf(begun), 1)
        throw error
      }
      return undefined
    },

    async end(id: string, lines: readonly string[], result: Outcome): Promise<void> {
      const found = (await load()).find((one) => one.id === id)
      if (found === undefined) return
      found.lines = [...lines]
      found.outcome = result
      await save()
    },
  }
}
export type CommandMemory = ReturnType<typeof createCommandMemory>
