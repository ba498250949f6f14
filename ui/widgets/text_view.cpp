// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/text_view.h"

#include "ui/theme/theme.h"

#include <QPlainTextEdit>
#include <QSyntaxHighlighter>

namespace idemdesk::ui {

namespace {

class SqlComments final : public QSyntaxHighlighter
{
public:
    using QSyntaxHighlighter::QSyntaxHighlighter;

protected:
    void highlightBlock(const QString &line) override
    {
        if (line.trimmed().startsWith(u"--")) {
            setFormat(0, int(line.size()), themeColor(Token::MutedText));
        }
    }
};

} // namespace

void setUpText(QPlainTextEdit *text, const QString &objectName, const QString &accessibleName)
{
    text->setObjectName(objectName);
    text->setAccessibleName(accessibleName);
    text->setReadOnly(true);
    text->setTabChangesFocus(true);
}

void setUpCode(QPlainTextEdit *text, const QString &objectName, const QString &accessibleName)
{
    setUpText(text, objectName, accessibleName);
    text->setFont(Theme::monospace());
}

void muteSqlComments(QPlainTextEdit *text)
{
    auto *comments = new SqlComments(text->document()); // the document owns it
    if (Theme::instance() != nullptr) {
        QObject::connect(Theme::instance(), &Theme::changed, comments, &QSyntaxHighlighter::rehighlight);
    }
}

} // namespace idemdesk::ui
