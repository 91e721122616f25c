import { execFile } from 'node:child_process'
import { printable } from './report.ts'

export interface Ended {
  /** Null if the program could not be started or was killed. */
  code: number | null
  lines: string[]
  reason: string | undefined
}

const linesMost = 40
const lineMost = 400

/** Runs a program without a shell and returns the end of its output. */
export function runProgram([file = '', ...args]: readonly string[], timeout: number): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(file, args, { timeout, maxBuffer: 1024 * 1024, windowsHide: true }, (error, stdout, stderr) => {
      const lines = linesOf(`${stdout}\n${stderr}`)
      if (error === null) return resolve({ code: 0, lines, reason: undefined })
      if (typeof error.code === 'number')
        return resolve({ code: error.code, lines, reason: `it exited with code ${error.code}` })
      const reason = error.killed === true ? `it took longer than ${timeout / 1000} s` : error.message
      resolve({ code: null, lines, reason: linesOf(reason)[0] })
    })
  })
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => printable(line.trim(), lineMost).trim())
    .filter((line) => line !== '')
    .slice(-linesMost)
}
