import type { OpenedConsole } from '@pult/testkit'

/**
 * Stays on the page whenever the browser asks before it leaves. Returns a growing list of the types of its questions.
 * Browsers ask only after a user interaction with the page.
 */
export function stayWhenAsked({ page }: OpenedConsole): string[] {
  const questions: string[] = []
  page.on('dialog', (dialog) => {
    questions.push(dialog.type())
    void dialog.dismiss()
  })
  return questions
}
