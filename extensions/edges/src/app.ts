import { defineApp } from '@pult/sdk'
import { EdgePage } from './EdgePage.tsx'
import { EdgesPage } from './EdgesPage.tsx'

export default defineApp({
  routes: [
    { name: 'app-edges', path: '', Component: EdgesPage },
    { name: 'app-edges-edge', path: ':edgeId', Component: EdgePage },
  ],
})
