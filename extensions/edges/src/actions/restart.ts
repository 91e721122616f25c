import { defineAction } from '@pult/sdk'
import { edgeEndpoints } from '@pult/sdk/api'
import { texts } from '../edges.texts.ts'

export default defineAction(async ({ project, thing, call, notify }) => {
  if (project === null || thing === null) return
  await call(edgeEndpoints.restart, {
    params: { projectId: project._id, edgeId: thing.id },
    body: {},
  })
  notify({ title: texts.restartStarted(thing.label) })
})
