import { existsSync, readdirSync, statSync } from 'node:fs'
import { userInfo } from 'node:os'
import { basename, resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'

/**
 * Properties of the new extension.
 * @typedef {{ folder: string, id: string, label: string, description: string, author: string, sdk?: string | undefined }} Wishes
 */

/**
 * Questions, each with a default answer and a function that returns the problem with an answer.
 * @type {{ name: keyof Wishes, question: string, fallback: (known: Partial<Wishes>) => string, problem: (answer: string) => string | undefined }[]}
 */
const questions = [
  {
    name: 'folder',
    question: 'Which folder',
    fallback: ({ id }) => id ?? 'my-extension',
    problem: (folder) => (isFree(folder) ? undefined : `${folder} already exists and is not empty`),
  },
  {
    name: 'id',
    question: 'Which id',
    fallback: ({ folder = '' }) => basename(resolve(folder)),
    problem: (id) => {
      if (id === 'root') return 'The id must not be root, which is reserved'
      return /^[a-z][a-z0-9-]{0,49}$/.test(id)
        ? undefined
        : `The id "${id}" is not valid: use lower-case letters, digits and hyphens, beginning with a letter, and set it with --id`
    },
  },
  {
    name: 'label',
    question: 'Which name do users see',
    fallback: ({ id = '' }) => id.charAt(0).toUpperCase() + id.slice(1).replaceAll('-', ' '),
    problem: (label) => textProblem('label', label, 1, 100),
  },
  {
    name: 'description',
    question: 'What is its purpose',
    fallback: () => 'Describe the extension in one sentence.',
    problem: (description) => textProblem('description', description, 0, 500),
  },
  {
    name: 'author',
    question: 'Who is the copyright holder',
    fallback: ({ label = '' }) =>
      process.env.npm_config_init_author_name || nameOfUser() || `The authors of ${label}`,
    problem: (author) => textProblem('author', author, 1, 200),
  },
]

/**
 * Completes the given options, and asks for missing ones in an interactive terminal. Throws for an invalid option.
 *
 * @param {Partial<Wishes>} given
 * @param {boolean} mayAsk
 * @returns {Promise<Wishes>}
 */
export async function askMissing(given, mayAsk) {
  /** @type {Partial<Wishes>} */
  const known = { sdk: given.sdk }
  const terminal = mayAsk ? createInterface({ input: process.stdin, output: process.stdout }) : undefined
  try {
    for (const { name, question, fallback, problem } of questions) {
      const usual = given[name] ?? fallback({ ...given, ...known })
      known[name] =
        terminal !== undefined && given[name] === undefined
          ? await answerTo(terminal, question, usual, problem)
          : usual
      const wrong = problem(known[name])
      if (wrong !== undefined) throw new Error(wrong)
    }
  } finally {
    terminal?.close()
  }
  if (known.sdk !== undefined && !(existsSync(known.sdk) && statSync(known.sdk).isFile()))
    throw new Error(`${known.sdk} does not exist`)
  return /** @type {Wishes} */ (known)
}

/** Repeats the question until the answer is valid. */
async function answerTo(terminal, question, usual, problem) {
  for (;;) {
    const answer = (await terminal.question(`${question}? (${usual}) `)).trim() || usual
    const wrong = problem(answer)
    if (wrong === undefined) return answer
    console.log(wrong)
  }
}

function isFree(folder) {
  if (!existsSync(folder)) return true
  return statSync(folder).isDirectory() && readdirSync(folder).length === 0
}

function textProblem(name, text, least, most) {
  if (text.length < least || text.length > most) return `The ${name} must have ${least} to ${most} characters`
  return /\p{Cc}/u.test(text) ? `The ${name} must be one line` : undefined
}

function nameOfUser() {
  try {
    return userInfo().username
  } catch {
    return ''
  }
}
