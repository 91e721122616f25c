import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { ApiError } from '../api-error.ts'
import { definePageTab } from '../define-extension.ts'
import { renderPageTab } from '../testing/render-card.tsx'
import { useFormFields } from './use-form-fields.tsx'

const invalid = (path: (string | number)[]) =>
  new ApiError({
    code: 'VALIDATION_FAILED',
    status: 400,
    message: 'The request is not valid',
    issues: [{ path, message: 'Not this word' }],
  })

function Form({ error }: { error: ApiError }) {
  const { form, refuse } = useFormFields({ name: null, saved: { values: { label: '', customer: '' } } })
  const named = (name: 'label' | 'customer') => <p>{`${name}: ${String(form.field(name).error)}`}</p>
  return (
    <>
      {named('label')}
      {named('customer')}
      <button type="button" onClick={() => refuse(error)}>
        Save
      </button>
    </>
  )
}

test.each([
  [['label'], 'label'],
  [['meta', 'customer'], 'customer'],
  [['rule', 'customer', 0], 'customer'],
])('an error at %j is shown at the field %s', async (path, name) => {
  await renderPageTab(definePageTab({ Component: () => <Form error={invalid(path)} /> }), { id: '' })
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect(screen.getByText(`${name}: Not this word`)).toBeTruthy()
  expect(screen.getAllByText(/: undefined$/)).toHaveLength(1)
})

test.each([[['toString']], [['other', 1]]])(
  'an error at %j names no field, and gives its reason',
  async (path) => {
    const error = invalid(path)
    await renderPageTab(definePageTab({ Component: () => <Form error={error} /> }), { id: '' })
    await userEvent.click(screen.getByRole('button', { name: 'Save' }))
    expect(screen.getAllByText(/: undefined$/)).toHaveLength(2)
    expect(error.message).toBe('Not this word')
  },
)
