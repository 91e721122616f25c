import { defineAction } from '@pult/sdk'
import { edgeEndpoints } from '@pult/sdk/api'
import { texts } from '../edges.texts.ts'

/** The id of a program in the search is `{edge}/{instance}`. */
export default defineAction(async ({ project, thing, call, notify }) => {
  const [edgeId, instance] = thing?.id.split('/') ?? []
  if (project === null || thing === null || edgeId === undefined || instance === undefined) return
  await call(edgeEndpoints.restart, { params: { projectId: project._id, edgeId }, body: { instance } })
  notify({ title: texts.restartStarted(thing.label) })
})
