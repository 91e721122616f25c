import { resourceRoute } from '@pult/sdk/resource'
import { NotesTab } from './NotesTab.tsx'

/** `notes`, `notes/create` and `notes/edit/:itemId`. */
export const noteRoutes = [resourceRoute('app-project-details-notes', 'notes', NotesTab)]
