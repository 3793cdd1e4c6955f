import { paymentMethodIds } from '@keystall/contract/payment-methods'

const names: Record<string, string> = {
  test: 'Play money',
  card: 'Card',
  bitcoin: 'Bitcoin',
  litecoin: 'Litecoin',
  ethereum: 'Ethereum',
  usdc: 'USDC',
  transfer: 'Transfer',
  wallet: 'Wallet',
  balance: 'Store credit',
  free: 'Free',
}

export const gatewayName = (id: string) => names[id] ?? id

export const gatewayOptions = paymentMethodIds.map((value) => ({ value, label: gatewayName(value) }))
