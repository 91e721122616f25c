import type { EdgeDeckStep, EdgeJobChoices } from '@pult/sdk/api'
import { texts } from './decks.texts.ts'

/** An action in the list of a step. */
export interface StepChoice {
  value: string
  label: string
  /** The step for this edge. */
  step: EdgeDeckStep
}

/** Returns the option of a step in the list, which ignores its edges and values. */
export function valueOf(step: EdgeDeckStep): string {
  if (step.type === 'abort') return `abort ${step.task}`
  if (step.type === 'page') return `page ${step.page}`
  const { command } = step
  return `job ${command.name} ${'key' in command ? command.key : ''}`
}

const choice = (label: string, step: EdgeDeckStep): StepChoice => ({ value: valueOf(step), label, step })

const jobOf = (command: Extract<EdgeDeckStep, { type: 'job' }>['command']): EdgeDeckStep => ({
  type: 'job',
  command,
  group: null,
})

/** Returns the possible actions of a key, by group. Declared commands with required values are omitted. */
export function stepChoices(
  { commands, programs }: EdgeJobChoices,
  pages: readonly number[],
): { label: string; items: StepChoice[] }[] {
  const values = (parameters: EdgeJobChoices['commands'][number]['parameters']) =>
    Object.fromEntries(parameters.map(({ key, default: value }) => [key, value ?? '']))
  const ready = commands.filter(({ parameters }) => parameters.every((one) => one.default !== undefined))
  return [
    {
      label: texts.commands,
      items: ready.map(({ key, label, parameters }) =>
        choice(label, jobOf({ name: 'run', key, values: values(parameters) })),
      ),
    },
    {
      label: texts.programs,
      items: programs.map(({ key, label }) =>
        choice(texts.restartProgram(label), jobOf({ name: 'restart-instance', key })),
      ),
    },
    {
      label: texts.agent,
      items: [
        choice(texts.diagnostics, jobOf({ name: 'diagnostics' })),
        choice(texts.restart, jobOf({ name: 'restart' })),
      ],
    },
    {
      label: texts.tasks,
      items: Object.entries(texts.taskAborts).map(([task, label]) => choice(label, { type: 'abort', task })),
    },
    {
      label: texts.showPage,
      items: pages.map((page) => choice(texts.page(page), { type: 'page', page })),
    },
  ].filter(({ items }) => items.length > 0)
}

/** Returns a label for a step that is no longer in the list. */
export function nameOf(step: EdgeDeckStep): string {
  if (step.type === 'page') return texts.page(step.page)
  if (step.type === 'abort') return texts.taskAbort(step.task)
  return 'key' in step.command ? step.command.key : step.command.name
}
