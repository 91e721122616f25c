import { defineExtension } from '@pult/sdk'

export default defineExtension({
  register: ({ registerApp }) => registerApp({ id: 'project-details', loader: () => import('./app.ts') }),
})
