import Check from 'lucide-react/icons/check'
import ChevronDown from 'lucide-react/icons/chevron-down'
import { type ReactNode, use } from 'react'
import {
  ComboBox as AriaComboBox,
  Button,
  ComboBoxStateContext,
  Input,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  Text,
} from 'react-aria-components/ComboBox'
import { classNames } from '../class-names.ts'
import { useBackCloses } from '../dialog/use-back-closes.ts'
import { AriaEnvironment } from '../provider/AriaEnvironment.tsx'
import hidden from '../text/VisuallyHidden.module.css'
import styles from './ComboBox.module.css'
import fieldStyles from './Field.module.css'
import { FieldMessage, type FieldTexts } from './Field.tsx'

export interface ComboBoxOption {
  id: string
  /** The option's label; the field shows it once the option is chosen. */
  text: string
  /** A quieter second line. */
  detail?: string | undefined
  /** Content before the text, such as an Avatar. */
  icon?: ReactNode
}

export interface ComboBoxProps extends FieldTexts {
  options: readonly ComboBoxOption[]
  /** Id of the chosen option; `null` for none. */
  value: string | null
  onChange: (value: string | null) => void
  /** Receives the typed text. If it is set, the caller filters the options, and all given options are shown. */
  onInputChange?: ((text: string) => void) | undefined
  /** Shown if no option matches the typed text. */
  emptyText: ReactNode
  placeholder?: string | undefined
  disabled?: boolean | undefined
  name?: string | undefined
}

/** Renders a text field that filters a list while the user types. For few options use a SelectField. */
export function ComboBox({
  label,
  hideLabel = false,
  description,
  error,
  options,
  value,
  onChange,
  onInputChange,
  emptyText,
  placeholder,
  disabled = false,
  name,
}: ComboBoxProps) {
  return (
    <AriaEnvironment>
      <AriaComboBox
        className={fieldStyles.field ?? ''}
        value={value}
        onChange={(key) => onChange(key === null ? null : String(key))}
        defaultItems={options}
        allowsEmptyCollection
        menuTrigger="focus"
        isDisabled={disabled}
        isInvalid={Boolean(error)}
        {...(onInputChange && { onInputChange, items: options })}
        {...(name !== undefined && { name })}
      >
        <Label className={(hideLabel ? hidden.hidden : fieldStyles.label) ?? ''}>{label}</Label>
        <div className={fieldStyles.control}>
          <Input className={fieldStyles.input ?? ''} {...(placeholder !== undefined && { placeholder })} />
          <Button className={styles.button ?? ''}>
            <ChevronDown aria-hidden="true" />
          </Button>
        </div>
        <Text slot="description" className={(error ? fieldStyles.error : fieldStyles.description) ?? ''}>
          <FieldMessage error={error} description={description} />
        </Text>
        <BackClosesList />
        <Popover className={styles.popover ?? ''} offset={4}>
          <ListBox
            className={styles.list ?? ''}
            renderEmptyState={() => <div className={styles.empty}>{emptyText}</div>}
          >
            {(option: ComboBoxOption) => (
              <ListBoxItem id={option.id} textValue={option.text} className={styles.option ?? ''}>
                {option.icon}
                <span className={styles.texts}>
                  <span className={styles.text}>{option.text}</span>
                  {option.detail !== undefined && (
                    <span className={classNames(styles.text, styles.detail)}>{option.detail}</span>
                  )}
                </span>
                <Check className={styles.check} aria-hidden="true" />
              </ListBoxItem>
            )}
          </ListBox>
        </Popover>
      </AriaComboBox>
    </AriaEnvironment>
  )
}

/**
 * Closes the list when the user goes back. It reads the state of the list instead of the layer around it, because React
 * Aria renders a hidden copy of the content as well, and the layer around that copy is the dialog that holds the field.
 */
function BackClosesList() {
  const list = use(ComboBoxStateContext)
  useBackCloses(list?.isOpen === true, () => list?.close())
  return null
}
