import { defineNavigation } from '@pult/sdk'
import { edgeEndpoints } from '@pult/sdk/api'
import { texts } from './edges.texts.ts'

export default defineNavigation({
  topic: ({ project }) => `/projects/${project?._id}/edges`,
  async read({ project, call, signal }) {
    const params = { projectId: project?._id ?? '' }
    const countOf = async (search?: string) => {
      const query = { limit: '1', ...(search !== undefined && { search }) }
      return (await call(edgeEndpoints.list, { params, query, signal, background: true })).total
    }
    const [count, offline] = await Promise.all([countOf(), countOf('state:offline')])
    return {
      count,
      ...(offline > 0 && { status: 'danger' as const }),
      label: texts.navigation(count, offline),
    }
  },
})
