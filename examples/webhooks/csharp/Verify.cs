// Verifies the signature of a webhook delivery, in C# (.NET 6 or later; nothing to install).
//
//   FISCAL_WEBHOOK_SECRET=whsec_… dotnet run -- "t=…,v1=…" < body.json

using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Security.Cryptography;
using System.Text;

public static class WebhookSignature
{
    private const long ToleranceSeconds = 300;

    // While secrets are being replaced, a delivery has a signature for each valid secret, at most eight.
    private const int SignaturesMax = 8;

    /// <summary>
    /// Whether the sender of <paramref name="body"/> has <paramref name="secret"/> and signed it just now. The header is the value
    /// of service-signature. The body must be the raw bytes (ASP.NET Core: copy Request.Body to a MemoryStream): deserialising
    /// and serialising them again changes them.
    /// </summary>
    public static bool IsGenuine(string secret, string header, byte[] body, DateTimeOffset now)
    {
        string[] elements = header.Split(',').Select(element => element.Trim()).ToArray();
        string timestamp = ValuesOf(elements, "t=").FirstOrDefault() ?? "";
        if (timestamp.Length == 0 || timestamp.Length > 12 || timestamp.Any(digit => digit < '0' || digit > '9')) return false;
        // Recorded deliveries cannot be replayed later.
        long seconds = long.Parse(timestamp, NumberStyles.None, CultureInfo.InvariantCulture);
        if (Math.Abs(now.ToUnixTimeSeconds() - seconds) > ToleranceSeconds) return false;
        // The key is the complete text of the secret, including whsec_.
        using var hmac = new HMACSHA256(Encoding.UTF8.GetBytes(secret));
        byte[] digest = hmac.ComputeHash(Encoding.UTF8.GetBytes(timestamp + ".").Concat(body).ToArray());
        string hex = BitConverter.ToString(digest).Replace("-", "").ToLowerInvariant();
        byte[] expected = Encoding.UTF8.GetBytes(hex);
        return ValuesOf(elements, "v1=")
            .Take(SignaturesMax)
            .Any(signature => CryptographicOperations.FixedTimeEquals(Encoding.UTF8.GetBytes(signature), expected));
    }

    private static IEnumerable<string> ValuesOf(IEnumerable<string> elements, string name) =>
        elements
            .Where(element => element.StartsWith(name, StringComparison.Ordinal))
            .Select(element => element.Substring(name.Length));
}

public static class Program
{
    public static int Main(string[] arguments)
    {
        string secret = Environment.GetEnvironmentVariable("FISCAL_WEBHOOK_SECRET") ?? "";
        using var body = new MemoryStream();
        using (Stream input = Console.OpenStandardInput()) input.CopyTo(body);
        string header = arguments.Length > 0 ? arguments[0] : "";
        bool isGenuine = WebhookSignature.IsGenuine(secret, header, body.ToArray(), DateTimeOffset.UtcNow);
        Console.WriteLine(isGenuine ? "genuine" : "refused");
        return isGenuine ? 0 : 1;
    }
}
