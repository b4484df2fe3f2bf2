// Checks the signature of a delivery, in C# (.NET 6 or later; nothing to install).
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

    // While secrets are replaced a delivery carries a signature for each that is live, at most eight.
    private const int SignaturesMax = 8;

    /// <summary>
    /// Whether <paramref name="body"/> was sent by whoever has <paramref name="secret"/>, now. The header is the value of
    /// service-signature, the body the bytes as they came (ASP.NET Core: copy Request.Body to a MemoryStream): deserialised
    /// and serialised again they are other bytes.
    /// </summary>
    public static bool IsGenuine(string secret, string header, byte[] body, DateTimeOffset now)
    {
        string[] elements = header.Split(',').Select(element => element.Trim()).ToArray();
        string timestamp = ValuesOf(elements, "t=").FirstOrDefault() ?? "";
        if (timestamp.Length == 0 || timestamp.Length > 12 || timestamp.Any(digit => digit < '0' || digit > '9')) return false;
        // A delivery that somebody kept is worth nothing later.
        long seconds = long.Parse(timestamp, NumberStyles.None, CultureInfo.InvariantCulture);
        if (Math.Abs(now.ToUnixTimeSeconds() - seconds) > ToleranceSeconds) return false;
        // The key is the whole text of the secret, whsec_ included.
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
