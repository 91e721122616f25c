import { expect, test } from 'vitest'
import type { Emit, NewEvent } from '#platform/realtime/events.ts'
import { publishPresence } from './edge-topic.ts'

test('the presence of many edges is published in one statement, with events of at most 200 edges of one project', async () => {
  const statements: (readonly NewEvent[])[] = []
  const emit: Emit = async (...events) => void statements.push(events)
  const edges = (projectId: string, count: number) =>
    Array.from({ length: count }, (_, index) => ({
      projectId,
      id: `${projectId} ${index}`,
      isOnline: true,
      seenAt: new Date(0),
    }))
  await publishPresence(emit, [...edges('harbour', 450), ...edges('hall', 1)])
  const published = statements.map((events) =>
    events.map(({ topic, data }) => [topic, (data['edges'] as unknown[]).length]),
  )
  expect(published).toEqual([
    [
      ['/projects/harbour/edges', 200],
      ['/projects/harbour/edges', 200],
      ['/projects/harbour/edges', 50],
      ['/projects/hall/edges', 1],
    ],
  ])
})
