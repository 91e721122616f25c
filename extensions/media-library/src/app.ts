import { defineApp } from '@pult/sdk'
import { LibraryPage } from './LibraryPage.tsx'
import { MediumPage } from './MediumPage.tsx'

export default defineApp({
  routes: [
    { name: 'app-media-library', path: '', Component: LibraryPage },
    { name: 'app-media-library-medium', path: ':mediumId', Component: MediumPage },
  ],
})
