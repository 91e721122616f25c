import { useNotify } from '@pult/sdk'
import { Button, Card, StateChip } from '@pult/sdk/ui'
import { useSetDefault } from '../project-details.queries.ts'
import { texts } from '../project-details.texts.ts'
import styles from './Overview.module.css'

export function DefaultCard({ isDefault }: { isDefault: boolean }) {
  const { mutateAsync: setDefault, isPending } = useSetDefault()
  const notify = useNotify()

  const choose = async () => {
    try {
      await setDefault()
      notify({ title: texts.setDefaultDone, tone: 'success' })
    } catch (error) {
      notify({ title: texts.setDefaultFailed, error })
    }
  }

  return (
    <Card title={texts.default}>
      <div className={styles.action}>
        <p className={styles.muted}>{texts.defaultText}</p>
        {isDefault ? (
          <StateChip plain status="ok">
            {texts.isDefault}
          </StateChip>
        ) : (
          <Button onClick={() => void choose()} pending={isPending} pendingLabel={texts.settingDefault}>
            {texts.setDefault}
          </Button>
        )}
      </div>
    </Card>
  )
}
