import type { Tone } from './tone.ts'

/*
 * Copies of four lucide-react shapes. The sign-in page needs no other icon, and the library's runtime is larger than
 * these paths.
 */
const circle = 'M22 12a10 10 0 1 1-20 0 10 10 0 0 1 20 0z'
const shapes: Record<Tone, string> = {
  info: `${circle}M12 16v-4M12 8h.01`,
  success: `${circle}m-6-3-5.5 5.5L8 12`,
  warning: 'm21.73 18-8-14a2 2 0 0 0-3.48 0l-8 14A2 2 0 0 0 4 21h16a2 2 0 0 0 1.73-3M12 9v4M12 17h.01',
  danger:
    'M12 16h.01M12 8v4M15.312 2a2 2 0 0 1 1.414.586l4.688 4.688A2 2 0 0 1 22 8.688v6.624a2 2 0 0 1-.586 1.414l-4.688 4.688a2 2 0 0 1-1.414.586H8.688a2 2 0 0 1-1.414-.586l-4.688-4.688A2 2 0 0 1 2 15.312V8.688a2 2 0 0 1 .586-1.414l4.688-4.688A2 2 0 0 1 8.688 2z',
}

export interface ToneIconProps {
  tone: Tone
  /** Accessible name, needed if no text beside the icon states the meaning. */
  label?: string
  className?: string | undefined
}

/** Shows the tone of a message or state as a shape. */
export function ToneIcon({ tone, label, className }: ToneIconProps) {
  return (
    <svg
      className={className}
      width="24"
      height="24"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
    >
      <path d={shapes[tone]} />
    </svg>
  )
}
