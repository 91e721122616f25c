import { act, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { defineApp } from '../define-extension.ts'
import { renderApp } from '../testing/render-app.tsx'
import { DownloadTask } from './DownloadTask.tsx'
import { useStartTask } from './use-start-task.ts'
import { useTask, useTasks } from './use-tasks.ts'

const taskId = '0193a3f0-0000-7000-8000-000000000101'
const fileId = '0193a3f0-0000-7000-8000-0000000000f1'
const project = { _id: '0193a3f0-0000-7000-8000-0000000000a1' }
const credentials = { _id: '0193a3f0-0000-7000-8000-0000000000b1' }
const topic = `/projects/${project._id}/LTT`

const task = {
  _id: taskId,
  type: 'show/plan',
  kind: 'download-generation',
  title: 'Plan',
  project: project._id,
  createdAt: '2026-01-05T09:03:07.000Z',
  startedAt: '2026-01-05T09:03:07.000Z',
  fulfilledAt: null,
  isRejected: false,
  isTimedOut: false,
  isAborted: false,
  canRetry: false,
  error: null,
  state: { progress: [1, 4] },
  deadlineAt: '2026-01-05T10:03:07.000Z',
  createdBy: { _id: credentials._id, firstname: 'Ada', lastname: 'Lovelace' },
  revision: 1,
}
const ended = { ...task, fulfilledAt: '2026-01-05T09:04:07.000Z', revision: 9 }

const appOf = (Component: () => React.ReactNode) =>
  defineApp({ routes: [{ name: 'app-show', path: '', Component }] })
const event = (name: string, data: unknown) => ({ kind: 'event' as const, name, data })
const list = 'GET /v2/projects/:projectId/ltt/tasks'

describe('the tasks of an app', () => {
  test('TASK-02 useTasks follows the topic without a refetch, and refetches once after a gap', async () => {
    const others = { ...task, _id: `${taskId.slice(0, -1)}2`, type: 'show/other', createdBy: null }
    const { calls, tell } = renderApp(
      appOf(() => {
        const { tasks } = useTasks({ type: 'show/plan', own: true })
        return <p>{tasks?.map(({ title, state }) => `${title} ${state.progress?.join('/')}`).join(', ')}</p>
      }),
      { project, credentials, api: { [list]: { items: [others, task], total: 2 } } },
    )
    await screen.findByText('Plan 1/4')
    tell(topic, event('task:state', { tasks: [{ _id: taskId, state: { progress: [3, 4] }, revision: 2 }] }))
    await screen.findByText('Plan 3/4')
    tell(topic, event('task:state', { tasks: [{ _id: taskId, state: { progress: [2, 4] }, revision: 2 }] }))
    tell(topic, event('task:created', { task: { ...task, _id: `${taskId.slice(0, -1)}3`, title: 'Next' } }))
    await screen.findByText('Next 1/4, Plan 3/4')
    expect(calls).toHaveLength(1)
    tell(topic, { kind: 'gap' })
    await waitFor(() => expect(calls).toHaveLength(2))
  })

  test('TASK-02 events during a read apply, although the response is older', async () => {
    let answer: () => void = () => {}
    let readings = 0
    const { tell } = renderApp(
      appOf(() => {
        const { tasks } = useTasks()
        return <p>{tasks?.map(({ title, state }) => `${title} ${state.progress?.join('/')}`).join(', ')}</p>
      }),
      {
        project,
        credentials,
        api: {
          [list]: async () => {
            readings += 1
            if (readings > 1) await new Promise<void>((resolve) => (answer = resolve))
            return { items: [task], total: 1 }
          },
        },
      },
    )
    await screen.findByText('Plan 1/4')
    tell(topic, { kind: 'gap' })
    await waitFor(() => expect(readings).toBe(2))
    const created = { ...task, _id: `${taskId.slice(0, -1)}3`, title: 'Next' }
    tell(topic, event('task:created', { task: created }))
    tell(topic, event('task:archived', { _id: taskId }))
    await screen.findByText('Next 1/4')
    await act(async () => answer())
    expect(await screen.findByText('Next 1/4')).toBeTruthy()
    expect(screen.queryByText(/Plan/)).toBeNull()
  })

  test.each([
    { clock: 'is right', ahead: 0 },
    { clock: 'is hours behind', ahead: -8 * 3_600_000 },
    { clock: 'is hours ahead', ahead: 8 * 3_600_000 },
  ])(
    'TASK-11 DEC-49 DownloadTask shows a text, then a plain link that it renews before expiry, if the clock $clock',
    async ({ ahead }) => {
      vi.useFakeTimers({ toFake: ['Date'] })
      onTestFinished(() => void vi.useRealTimers())
      const linkUntil = (ms: number) =>
        `/api/files/${fileId}/content?until=${Math.round((Date.now() - ahead + ms) / 1000)}&signature=s`
      const [expiring, renewed] = [linkUntil(600_000), linkUntil(1_200_000)]
      const state = { fileName: 'plan.pdf', info: '2 pages' }
      let listed: object = task
      let readings = 0
      const { tell } = renderApp(
        appOf(() => {
          const { task: known } = useTask(taskId)
          return known && <DownloadTask task={known} />
        }),
        {
          project,
          credentials,
          api: {
            [list]: () => ({ items: [listed], total: 1 }),
            [`${list}/:taskId`]: async () => {
              readings += 1
              return { ...ended, state: { ...state, fileUrl: readings === 1 ? expiring : renewed } }
            },
          },
        },
      )
      await screen.findByText('Download wird vorbereitet ...')
      expect(screen.queryByRole('link')).toBeNull()
      listed = { ...ended, state }
      tell(topic, event('task:fulfilled', { task: listed }))
      const link = await screen.findByRole('link', { name: 'Download plan.pdf' })
      expect(link.getAttribute('href')).toBe(expiring)
      expect(screen.getByText('2 pages')).toBeTruthy()
      const returnToPage = () => act(async () => window.dispatchEvent(new Event('visibilitychange')))
      await returnToPage()
      expect(readings).toBe(1)
      vi.setSystemTime(Date.now() + 480_000)
      await returnToPage()
      await waitFor(() => expect(link.getAttribute('href')).toBe(renewed))
      expect(readings).toBe(2)
    },
  )

  test('TASK-11 an old link of a list is renewed immediately', async () => {
    const linkOf = (until: number) => `/api/files/${fileId}/content?until=${until}&signature=s`
    const state = { fileName: 'plan.pdf' }
    const listed = { ...ended, state: { ...state, fileUrl: linkOf(Math.round(Date.now() / 1000) + 60) } }
    renderApp(
      appOf(() => {
        const { task: known } = useTask(taskId)
        return known && <DownloadTask task={known} />
      }),
      {
        project,
        credentials,
        api: {
          [list]: { items: [listed], total: 1 },
          [`${list}/:taskId`]: { ...ended, state: { ...state, fileUrl: linkOf(9_999_999_999) } },
        },
      },
    )
    const link = await screen.findByRole('link', { name: 'Download plan.pdf' })
    await waitFor(() => expect(link.getAttribute('href')).toBe(linkOf(9_999_999_999)))
  })

  test('TASK-08 TASK-09 a download with another outcome shows the reason', async () => {
    const { tell } = renderApp(
      appOf(() => {
        const { task: known } = useTask(taskId)
        return known && <DownloadTask task={known} />
      }),
      { project, credentials, api: { [list]: { items: [task], total: 1 } } },
    )
    await screen.findByText('Download wird vorbereitet ...')
    tell(topic, event('task:fulfilled', { task: { ...ended, isRejected: true } }))
    await screen.findByText('File generation failed')
    tell(topic, event('task:fulfilled', { task: { ...ended, isTimedOut: true, revision: 10 } }))
    await screen.findByText('Timed out')
    tell(topic, event('task:fulfilled', { task: { ...ended, revision: 11 } }))
    await screen.findByText('Unknown error occurred')
    expect(screen.queryByRole('link')).toBeNull()
  })

  test('TASK-02 useStartTask reads nothing before the start, then follows a task beyond the list', async () => {
    const { calls } = renderApp(
      appOf(() => {
        const { start, task: begun } = useStartTask(async () => ({ _id: taskId }))
        return (
          <>
            <button type="button" onClick={() => start()}>
              Begin
            </button>
            <p>{begun?.title}</p>
          </>
        )
      }),
      {
        project,
        credentials,
        api: { [list]: { items: [], total: 0 }, [`${list}/:taskId`]: { ...task, title: 'Archived plan' } },
      },
    )
    const begin = await screen.findByRole('button', { name: 'Begin' })
    await act(async () => {})
    expect(calls).toEqual([])
    await userEvent.click(begin)
    await screen.findByText('Archived plan')
  })
})
