import { defineExtension } from '@pult/sdk'

export default defineExtension({
  register: ({ registerApp }) =>
    registerApp({
      id: 'media-library',
      loader: () => import('./app.ts'),
      navigation: () => import('./navigation.ts'),
      cards: { 'last-added': () => import('./LastAddedCard.tsx') },
      actions: { upload: () => import('./upload-action.ts') },
    }),
})
