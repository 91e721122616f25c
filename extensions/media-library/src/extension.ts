import { defineExtension } from '@pult/sdk'

export default defineExtension({
  register: ({ registerApp }) => registerApp({ id: 'media-library', loader: () => import('./app.ts') }),
})
