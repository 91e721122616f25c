import CircleCheck from 'lucide-react/icons/circle-check'
import Info from 'lucide-react/icons/info'
import OctagonAlert from 'lucide-react/icons/octagon-alert'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import type { Tone } from './tone.ts'

const icons = { info: Info, success: CircleCheck, warning: TriangleAlert, danger: OctagonAlert }

export function ToneIcon({ tone, className }: { tone: Tone; className?: string | undefined }) {
  const Icon = icons[tone]
  return <Icon className={className ?? ''} aria-hidden="true" />
}
