import { edgeEndpoints, mediaEndpoints, noteEndpoints, projectEndpoints, taskEndpoints } from '@pult/contract'
import { expect, test } from 'vitest'
import { sample } from './sample.ts'

const records = {
  project: [projectEndpoints.read, sample.project],
  edge: [edgeEndpoints.read, sample.edge],
  note: [noteEndpoints.read, sample.note],
  medium: [mediaEndpoints.read, sample.medium],
  task: [taskEndpoints.read, sample.task],
} as const

test.each(Object.entries(records))('a sample of a %s is a complete reply', (name, [{ reply }, make]) => {
  expect(Object.keys(sample)).toContain(name)
  const record = make()
  expect(reply.safeParse(record)).toMatchObject({ success: true, data: record })
})

test('the given fields of a sample replace those of the record, and for an edge those of its report', () => {
  expect(sample.note({ label: 'Load-in' })).toEqual({ ...sample.note(), label: 'Load-in' })
  const crane = sample.edge({ label: 'Crane 1', report: { uptime: 7 } })
  const { report } = sample.edge()
  expect(crane).toEqual({ ...sample.edge(), label: 'Crane 1', report: { ...report, uptime: 7 } })
  expect(sample.edge({ report: null }).report).toBeNull()
})

test('the samples have different ids', () => {
  const ids = Object.values(records).map(([, make]) => make()._id)
  expect(new Set(ids).size).toBe(ids.length)
})
