import { spawn } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/*
 * Follows a document: executes its ```sh run blocks, writes blocks such as ```ts src/app.ts to the named file, and
 * returns blocks with other marks to the caller.
 */

export interface Block {
  language: string
  /** Word after the language: `run`, or the path of a file. */
  mark: string
  text: string
}

export async function blocksOf(path: string): Promise<Block[]> {
  const text = await readFile(path, 'utf8')
  return [...text.matchAll(/^```(\w+) (\S+)\n([^]*?)^```$/gm)].map(
    ([, language = '', mark = '', block = '']) => ({
      language,
      mark,
      text: block,
    }),
  )
}

export interface Followed {
  /** Working directory after the last command. */
  folder: string
  /** The output of all commands. */
  output: string
}

/** Executes the document's blocks in order, starting in a folder. */
export async function follow(
  blocks: readonly Block[],
  begin: string,
  env: NodeJS.ProcessEnv,
): Promise<Followed> {
  const place = join(begin, '.place')
  let folder = begin
  let output = ''
  for (const { language, mark, text } of blocks) {
    if (language === 'sh' && mark === 'run') {
      output += await run('sh', ['-e', '-c', `${text}\npwd > "$PLACE"`], folder, { ...env, PLACE: place })
      folder = (await readFile(place, 'utf8')).trim()
    } else if (language !== 'sh') {
      await mkdir(dirname(join(folder, mark)), { recursive: true })
      await writeFile(join(folder, mark), text)
    }
  }
  return { folder, output }
}

/** Runs a program and returns its output; rejects with the output on failure. */
export function run(
  program: string,
  args: readonly string[],
  folder: string,
  env: NodeJS.ProcessEnv,
): Promise<string> {
  const child = spawn(program, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) =>
      code === 0 ? resolve(output) : reject(new Error(`${program} ${args.join(' ')} failed:\n${output}`)),
    )
  })
}

/** Returns the environment of a terminal, without variables of the test run or of npm. */
export function plainEnvironment(): NodeJS.ProcessEnv {
  const ofOthers =
    /^(?:VITEST|npm_(?!config_)|npm_config_(?:local_)?prefix$|(?:NODE_ENV|NODE_OPTIONS|TEST|MODE|PROD|DEV|SSR|BASE_URL|INIT_CWD)$)/
  return {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !ofOthers.test(name))),
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_prefer_offline: 'true',
    npm_config_update_notifier: 'false',
  }
}
