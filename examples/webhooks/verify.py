"""Verifies the signature of a webhook delivery, in Python (3.8 or later; nothing to install).

    FISCAL_WEBHOOK_SECRET=whsec_... python3 verify.py "t=...,v1=..." < body.json
"""

import hashlib
import hmac
import os
import re
import sys
import time
from typing import Optional

TOLERANCE_SECONDS = 300
# While secrets are being replaced, a delivery has a signature for each valid secret, at most eight.
SIGNATURES_MAX = 8


def is_genuine(secret: str, header: str, body: bytes, now: Optional[int] = None) -> bool:
    """Whether the sender of `body` has `secret` and signed it just now.

    `header` is the value of service-signature. `body` must be the raw bytes (Flask: request.get_data(),
    Django: request.body): parsing and serialising them again changes them.
    """
    elements = [element.strip() for element in header.split(",")]
    timestamp = next((element[2:] for element in elements if element.startswith("t=")), "")
    if re.fullmatch("[0-9]{1,12}", timestamp) is None:
        return False
    now = int(time.time()) if now is None else now
    # Recorded deliveries cannot be replayed later.
    if abs(now - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    # The key is the complete text of the secret, including whsec_.
    signed = timestamp.encode() + b"." + body
    expected = hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest().encode()
    signatures = [element[3:] for element in elements if element.startswith("v1=")]
    return any(
        hmac.compare_digest(expected, signature.encode(errors="replace"))
        for signature in signatures[:SIGNATURES_MAX]
    )


def main() -> int:
    secret = os.environ.get("FISCAL_WEBHOOK_SECRET", "")
    header = sys.argv[1] if len(sys.argv) > 1 else ""
    genuine = is_genuine(secret, header, sys.stdin.buffer.read())
    print("genuine" if genuine else "refused")
    return 0 if genuine else 1


if __name__ == "__main__":
    sys.exit(main())
