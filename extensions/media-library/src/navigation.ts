import { defineNavigation } from '@pult/sdk'
import { mediaEndpoints } from '@pult/sdk/api'
import { texts } from './media.texts.ts'

export default defineNavigation({
  topic: ({ project }) => `/projects/${project?._id}/media`,
  async read({ project, call, signal }) {
    const params = { projectId: project?._id ?? '' }
    const { total } = await call(mediaEndpoints.list, {
      params,
      query: { limit: '1' },
      signal,
      background: true,
    })
    return { count: total, label: texts.navigation(total) }
  },
})
