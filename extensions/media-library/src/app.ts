import { defineApp, redirectTo } from '@pult/sdk'
import { LibraryPage } from './LibraryPage.tsx'
import { MediumPage } from './MediumPage.tsx'
import { UploadPage } from './UploadPage.tsx'

export default defineApp({
  routes: [
    { name: 'app-media-library', path: '', Component: LibraryPage },
    { name: 'app-media-library-create', path: 'create', Component: UploadPage },
    { name: 'app-media-library-medium', path: 'edit/:mediumId', Component: MediumPage },
    {
      name: 'app-media-library-old-medium',
      path: ':mediumId',
      Component: redirectTo(({ mediumId }) => `edit/${mediumId}`),
    },
  ],
})
