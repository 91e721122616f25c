import { defineAction } from '@pult/sdk'

export default defineAction(({ openApp }) => openApp('project-details', 'notes/create'))
