import { defineExtension } from '@pult/sdk'

export default defineExtension({
  register: ({ registerApp }) => registerApp({ id: 'edges', loader: () => import('./app.ts') }),
})
