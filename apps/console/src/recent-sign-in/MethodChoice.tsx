import { SegmentedControl } from '@pult/ui'
import KeyRound from 'lucide-react/icons/key-round'
import RectangleEllipsis from 'lucide-react/icons/rectangle-ellipsis'
import ShieldCheck from 'lucide-react/icons/shield-check'
import type { ReactNode } from 'react'
import type { Method } from './methods.ts'
import { texts } from './recent-sign-in.texts.ts'

const icons: Record<Method, ReactNode> = {
  password: <RectangleEllipsis aria-hidden="true" />,
  passkey: <KeyRound aria-hidden="true" />,
  otp: <ShieldCheck aria-hidden="true" />,
}

interface MethodChoiceProps {
  methods: readonly Method[]
  chosen: Method | undefined
  onChoose: (method: Method) => void
}

/** The methods side by side. Arrow keys move between them. */
export function MethodChoice({ methods, chosen, onChoose }: MethodChoiceProps) {
  return (
    <SegmentedControl
      wide
      label={texts.methods}
      value={chosen}
      onChange={onChoose}
      segments={methods.map((method) => ({ value: method, label: texts[method], icon: icons[method] }))}
    />
  )
}
