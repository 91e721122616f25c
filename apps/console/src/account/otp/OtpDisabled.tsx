import type { OtpEnrolment } from '@pult/contract'
import { Button, Card, EmptyState } from '@pult/ui'
import ShieldOff from 'lucide-react/icons/shield-off'
import { notify } from '#platform/notify.ts'
import { useInitOtp } from './otp.queries.ts'
import { texts } from './otp.texts.ts'

/** Explains the benefit of a second factor and starts its enrolment. */
export function OtpDisabled({ onEnrolment }: { onEnrolment: (enrolment: OtpEnrolment) => void }) {
  const { mutateAsync: init, isPending } = useInitOtp()

  const enable = async () => {
    try {
      onEnrolment(await init())
    } catch (error) {
      notify.error(texts.activationError, error)
    }
  }

  return (
    <Card>
      <EmptyState
        icon={<ShieldOff aria-hidden="true" />}
        title={texts.off}
        text={texts.offText}
        action={
          <Button
            variant="primary"
            pending={isPending}
            pendingLabel={texts.enabling}
            onClick={() => void enable()}
          >
            {texts.enable}
          </Button>
        }
      />
    </Card>
  )
}
