import json
import os
import time
import urllib.request
from urllib.parse import parse_qs, urlparse

API_URL = os.environ.get("API_URL", "http://localhost:8080")


def call(method, path, body=None, **headers):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(API_URL + path, data, {"Content-Type": "application/json", **headers}, method=method)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)["data"]


seller = {"Authorization": f"Bearer {os.environ['KEYSTALL_KEY']}"}
store = f"/stores/{call('POST', '/stores', {'name': 'My stall', 'url': f'py{time.time_ns()}'}, **seller)['id']}"
call("PATCH", f"{store}/payment-methods/test", {"isEnabled": True}, **seller)
product = call("POST", f"{store}/products", {"name": "Game key", "cost": 9.5, "visibility": 0}, **seller)["id"]
call("PUT", f"{store}/products/{product}/items", {"items": ["AAAA-1111", "BBBB-2222"]}, **seller)

order = {"items": [{"productId": product, "quantity": 1}], "gateway": "test", "emailAddress": "ada@example.com"}
placed = call("POST", f"{store}/checkout", order)[0]
buyer = {"X-Order-Key": parse_qs(urlparse(placed["checkoutUrl"]).query)["key"][0]}
paid = call("POST", f"/orders/{placed['order']['id']}/test-payment", {"outcome": "paid"}, **buyer)
print(f"{paid['status']}: {paid['deliveredItem']}")
