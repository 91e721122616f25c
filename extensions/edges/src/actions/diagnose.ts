import { defineAction } from '@pult/sdk'
import { edgeEndpoints } from '@pult/sdk/api'
import { texts } from '../edges.texts.ts'

export default defineAction(async ({ project, thing, call, notify }) => {
  if (project === null || thing === null) return
  await call(edgeEndpoints.diagnose, {
    params: { projectId: project._id, edgeId: thing.id },
  })
  notify({ title: texts.diagnoseStarted(thing.label) })
})
