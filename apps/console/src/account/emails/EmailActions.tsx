import { ConfirmDialog, IconButton, Menu, MenuItem, MenuTrigger } from '@pult/ui'
import EllipsisVertical from 'lucide-react/icons/ellipsis-vertical'
import MailCheck from 'lucide-react/icons/mail-check'
import Star from 'lucide-react/icons/star'
import Trash from 'lucide-react/icons/trash-2'
import { useState } from 'react'
import { ActionDialog } from '#platform/ActionDialog.tsx'
import { notify } from '#platform/notify.ts'
import styles from './EmailsPage.module.css'
import {
  type ListedEmail,
  useRemoveEmail,
  useSendVerification,
  useSetDefaultEmail,
} from './emails.queries.ts'
import { texts } from './emails.texts.ts'
import { useIsPast } from './use-is-past.ts'

type Question = 'default' | 'removal'

/** The actions of an address that is not the default one. */
export function EmailActions({ email }: { email: ListedEmail }) {
  const [question, setQuestion] = useState<Question | null>(null)
  const isVerified = email.verifiedAt !== null
  return (
    <>
      <MenuTrigger>
        <IconButton label={texts.actionsOf(email.email)} icon={<EllipsisVertical aria-hidden="true" />} />
        <Menu label={texts.actionsOf(email.email)} placement="bottom end">
          {isVerified ? (
            <MenuItem icon={<Star />} onAction={() => setQuestion('default')}>
              {texts.makeDefault}
            </MenuItem>
          ) : (
            <ResendItem email={email} />
          )}
          <MenuItem icon={<Trash />} tone="danger" onAction={() => setQuestion('removal')}>
            {texts.remove}
          </MenuItem>
        </Menu>
      </MenuTrigger>
      <SetDefaultDialog email={email} open={question === 'default'} onClose={() => setQuestion(null)} />
      <RemoveDialog email={email} open={question === 'removal'} onClose={() => setQuestion(null)} />
    </>
  )
}

/** Returns the action that sends the verification mail again, with its label while it waits. */
function useResend(email: ListedEmail) {
  const { mutateAsync: send } = useSendVerification()
  const mayResend = useIsPast(email.resendAt)

  const resend = async () => {
    try {
      await send(email._id)
      notify.success(texts.resent, texts.resentText)
    } catch (error) {
      notify.error(texts.resendFailed, error)
    }
  }

  return { mayResend, label: mayResend ? texts.resend : texts.checkInbox, resend: () => void resend() }
}

function ResendItem({ email }: { email: ListedEmail }) {
  const { mayResend, label, resend } = useResend(email)
  return (
    <MenuItem icon={<MailCheck />} disabled={!mayResend} onAction={resend}>
      {label}
    </MenuItem>
  )
}

/** For the default address, which has no menu (MAIL-05). */
export function ResendButton({ email }: { email: ListedEmail }) {
  const { mayResend, label, resend } = useResend(email)
  return (
    <IconButton
      className={styles.resend}
      label={label}
      icon={<MailCheck aria-hidden="true" />}
      // Instead of disabled, so that the pressed button keeps the focus.
      aria-disabled={!mayResend}
      onClick={mayResend ? resend : undefined}
    />
  )
}

interface QuestionProps {
  email: ListedEmail
  open: boolean
  onClose: () => void
}

function SetDefaultDialog({ email, open, onClose }: QuestionProps) {
  const { mutateAsync: setDefault, isPending } = useSetDefaultEmail()

  const confirm = async () => {
    // Closes first, because a step-up dialog may take its place.
    onClose()
    try {
      await setDefault(email._id)
    } catch (error) {
      notify.error(texts.setDefaultFailed, error)
    }
  }

  return (
    <ConfirmDialog
      open={open}
      title={texts.setDefaultQuestion}
      confirmLabel={texts.makeDefault}
      cancelLabel={texts.cancel}
      pending={isPending}
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      {texts.setDefaultText(email.email)}
    </ConfirmDialog>
  )
}

function RemoveDialog({ email, open, onClose }: QuestionProps) {
  return (
    <ActionDialog
      open={open}
      title={texts.removeQuestion}
      confirmLabel={texts.remove}
      cancelLabel={texts.cancel}
      action={useRemoveEmail()}
      subject={email._id}
      onDone={() => notify.success(texts.removed)}
      onClose={onClose}
    >
      {texts.removeText(email.email)}
    </ActionDialog>
  )
}
