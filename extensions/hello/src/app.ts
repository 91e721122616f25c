import { defineApp } from '@pult/sdk'
import { Greeting } from './Greeting.tsx'

export default defineApp({ routes: [{ name: 'app-hello', path: '', Component: Greeting }] })
