import { defineExtension } from '@pult/sdk'

export default defineExtension({
  register: ({ registerApp }) => registerApp({ id: 'my-extension', loader: () => import('./app.ts') }),
})
