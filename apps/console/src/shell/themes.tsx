import Moon from 'lucide-react/icons/moon'
import Sun from 'lucide-react/icons/sun'
import SunMoon from 'lucide-react/icons/sun-moon'
import type { ReactNode } from 'react'
import type { Theme } from '#platform/theme.ts'

/** The available themes in display order, each with its icon. */
export const themes: Record<Theme, ReactNode> = {
  light: <Sun aria-hidden="true" />,
  dark: <Moon aria-hidden="true" />,
  system: <SunMoon aria-hidden="true" />,
}

export const themeNames = Object.keys(themes) as Theme[]
