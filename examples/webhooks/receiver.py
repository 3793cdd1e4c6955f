import base64
import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

SECRET = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))
assert SECRET, "anybody could sign with an empty secret"
seen = set()


def verify(headers, body):
    message_id, sent_at = headers["webhook-id"], headers["webhook-timestamp"]
    if abs(time.time() - int(sent_at)) > 300:
        raise ValueError("too old")
    content = f"{message_id}.{sent_at}.".encode() + body
    expected = base64.b64encode(hmac.digest(SECRET, content, hashlib.sha256)).decode()
    # While a secret is changed there are two signatures; either will do.
    given = [each.removeprefix("v1,") for each in headers["webhook-signature"].split(" ")]
    if not any(hmac.compare_digest(expected, each) for each in given):
        raise ValueError("wrong signature")
    return message_id, json.loads(body)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        try:
            message_id, message = verify(self.headers, body)
        except (ValueError, TypeError, AttributeError):
            self.send_response(401)
        else:
            # A message may come more than once: its id is the same each time.
            if message_id not in seen:
                print(message["type"], message["data"].get("orderId"), flush=True)
            seen.add(message_id)
            self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


HTTPServer((os.environ.get("HOST", ""), int(os.environ.get("PORT", "3000"))), Receiver).serve_forever()
