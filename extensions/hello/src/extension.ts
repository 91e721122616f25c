import { defineExtension } from '@pult/sdk'

export default defineExtension({
  register: ({ registerApp }) => registerApp({ id: 'hello', loader: () => import('./app.ts') }),
})
