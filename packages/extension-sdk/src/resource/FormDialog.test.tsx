import { TextField } from '@pult/ui'
import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { ApiError } from '../api-error.ts'
import { definePageTab } from '../define-extension.ts'
import { renderPageTab } from '../testing/render-card.tsx'
import { FormDialog } from './FormDialog.tsx'
import { useFormFields } from './use-form-fields.tsx'

interface Given {
  save: (label: string) => Promise<unknown>
  onClose?: () => void
  onSaved?: () => void
}

async function given({ save, onClose = () => {}, onSaved }: Given) {
  function Rename() {
    const fields = useFormFields<{ label: string }>({
      name: null,
      saved: { values: { label: 'Hall' } },
      problemsOf: ({ label }) => (label.trim() === '' ? { label: 'Enter a label' } : {}),
    })
    return (
      <FormDialog
        title="Rename"
        submit="Save"
        failed="Renaming failed"
        fields={fields}
        save={() => save(fields.values.label)}
        onClose={onClose}
        {...(onSaved && { onSaved })}
      >
        <TextField label="Label" autoFocus {...fields.form.text('label')} />
      </FormDialog>
    )
  }
  await renderPageTab(definePageTab({ Component: Rename }), { id: '' })
  const field = await screen.findByLabelText<HTMLInputElement>('Label')
  const press = () => userEvent.click(screen.getByRole('button', { name: 'Save' }))
  const type = async (text: string) => {
    await userEvent.clear(field)
    if (text !== '') await userEvent.type(field, text)
  }
  return { field, press, type }
}

test('the dialog saves, then closes', async () => {
  const [save, onClose] = [vi.fn<Given['save']>(async () => {}), vi.fn<() => void>()]
  const { press, type } = await given({ save, onClose })
  await type('Quay')
  await press()
  await waitFor(() => expect(onClose).toHaveBeenCalledTimes(1))
  expect(save.mock.calls).toEqual([['Quay']])
})

test('a dialog with a second step does not close after it has saved', async () => {
  const [onClose, onSaved] = [vi.fn<() => void>(), vi.fn<() => void>()]
  const { press } = await given({ save: async () => {}, onClose, onSaved })
  await press()
  await waitFor(() => expect(onSaved).toHaveBeenCalledTimes(1))
  expect(onClose).not.toHaveBeenCalled()
})

test('a missing field gets the focus, and nothing is sent', async () => {
  const save = vi.fn<Given['save']>(async () => {})
  const { field, press, type } = await given({ save })
  await type('')
  await press()
  expect(await screen.findByText('Enter a label')).toBeTruthy()
  expect(document.activeElement).toBe(field)
  expect(save).not.toHaveBeenCalled()
})

test('a rejection of a field is shown there, any other one below the form, a cancelled sign-in nowhere', async () => {
  const reasons = [
    Object.assign(new ApiError({ code: 'VALIDATION_FAILED', status: 422, message: 'Check the fields' }), {
      issues: [{ path: ['label'], message: 'This label is taken' }],
    }),
    new ApiError({ code: 'NETWORK', status: 0, message: 'No reply' }),
    Object.assign(new Error('cancelled'), { name: 'Cancelled' }),
  ]
  const { press, type } = await given({ save: () => Promise.reject(reasons.shift() ?? new Error('none')) })
  await type('Quay')
  await press()
  expect(await screen.findByText('This label is taken')).toBeTruthy()
  expect(screen.queryByText('Renaming failed')).toBeNull()
  await press()
  expect(await screen.findByText('Renaming failed')).toBeTruthy()
  expect(screen.getByText('No reply')).toBeTruthy()
  await press()
  await waitFor(() => expect(screen.queryByText('Renaming failed')).toBeNull())
})

test('a second press while it saves sends nothing', async () => {
  const save = vi.fn<Given['save']>(() => new Promise(() => {}))
  const { field, press } = await given({ save })
  await press()
  await userEvent.type(field, '{Enter}')
  expect(save).toHaveBeenCalledTimes(1)
})
