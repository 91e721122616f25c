import { defineAction } from '@pult/sdk'

export default defineAction(({ openApp }) => openApp('edges', 'create'))
