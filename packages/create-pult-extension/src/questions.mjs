import { existsSync, readdirSync, statSync } from 'node:fs'
import { userInfo } from 'node:os'
import { basename, resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'

/**
 * What the new extension is to be.
 * @typedef {{ folder: string, id: string, label: string, description: string, author: string, sdk?: string | undefined }} Wishes
 */

/**
 * Each with what is taken when nothing is answered, and what is wrong with an answer.
 * @type {{ name: keyof Wishes, question: string, fallback: (known: Partial<Wishes>) => string, problem: (answer: string) => string | undefined }[]}
 */
const questions = [
  {
    name: 'folder',
    question: 'Which folder',
    fallback: ({ id }) => id ?? 'my-extension',
    problem: (folder) => (isFree(folder) ? undefined : `${folder} is there already, and not empty`),
  },
  {
    name: 'id',
    question: 'Which id',
    fallback: ({ folder = '' }) => basename(resolve(folder)),
    problem: (id) => {
      if (id === 'root') return 'No extension may be called root'
      return /^[a-z][a-z0-9-]{0,49}$/.test(id)
        ? undefined
        : `The id must be lower-case letters, digits and hyphens, beginning with a letter, not "${id}": give one with --id`
    },
  },
  {
    name: 'label',
    question: 'What do people call it',
    fallback: ({ id = '' }) => id.charAt(0).toUpperCase() + id.slice(1).replaceAll('-', ' '),
    problem: (label) => textProblem('label', label, 1, 100),
  },
  {
    name: 'description',
    question: 'What is it for',
    fallback: () => 'What it is for, in one sentence.',
    problem: (description) => textProblem('description', description, 0, 500),
  },
  {
    name: 'author',
    question: 'Who holds the rights',
    fallback: ({ label = '' }) =>
      process.env.npm_config_init_author_name || nameOfUser() || `The authors of ${label}`,
    problem: (author) => textProblem('author', author, 1, 200),
  },
]

/**
 * Completes the given options, and asks for missing ones in an interactive terminal. Throws for an invalid answer.
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
    throw new Error(`There is no ${known.sdk}`)
  return /** @type {Wishes} */ (known)
}

/** Asks until the answer is valid. */
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
