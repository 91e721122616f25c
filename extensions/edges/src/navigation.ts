import { defineNavigation } from '@pult/sdk'
import { edgeEndpoints } from '@pult/sdk/api'
import { texts } from './edges.texts.ts'

export default defineNavigation({
  topic: ({ project }) => `/projects/${project?._id}/edges`,
  async read({ project, call, signal }) {
    const { total, counts } = await call(edgeEndpoints.list, {
      params: { projectId: project?._id ?? '' },
      query: { limit: '1' },
      signal,
      background: true,
    })
    const { offline, trouble } = counts
    return {
      count: total,
      ...(offline > 0 ? { status: 'danger' as const } : trouble > 0 && { status: 'warning' as const }),
      label: texts.navigation(total, offline, trouble),
    }
  },
})
