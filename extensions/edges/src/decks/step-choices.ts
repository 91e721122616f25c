import type { EdgeDeckStep, EdgeJobChoices } from '@pult/sdk/api'
import { texts } from './decks.texts.ts'

/** An action in the list of a step. */
export interface StepChoice {
  value: string
  label: string
  /** The step for this edge. */
  step: EdgeDeckStep
}

/** Names a step in the list, whatever its edges and values. */
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

/** The actions that a key can have, by group. Declared commands that need values have no place on a key. */
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

/** Names a step that is not in the list any more. */
export function nameOf(step: EdgeDeckStep): string {
  if (step.type === 'page') return texts.page(step.page)
  if (step.type === 'abort') return texts.taskAbort(step.task)
  return 'key' in step.command ? step.command.key : step.command.name
}
